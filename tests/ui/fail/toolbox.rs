use tool_core::toolbox;

struct Orders<T>(T);

#[toolbox]
impl<T> Orders<T> {
    /// Take it.
    #[tool]
    fn take(self) {}

    /// Change it.
    #[tool]
    fn change(&mut self) {}

    #[tool]
    fn silent(&self) {}
}

struct Empty;

#[toolbox]
impl Empty {
    fn plain(&self) {}
}

fn main() {
    Empty.plain();
}
