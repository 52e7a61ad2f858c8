use tool_core::tool;

struct Orders;

impl Orders {
    /// List them.
    #[tool]
    fn list(&self) -> String {
        String::new()
    }
}

fn main() {
    Orders.list();
}
