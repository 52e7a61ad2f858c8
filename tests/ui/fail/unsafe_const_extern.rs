use tool_core::tool;

/// Unsafe.
#[tool]
unsafe fn one() {}

/// Constant.
#[tool]
const fn two() {}

/// Foreign.
#[tool]
extern "C" fn three() {}

fn main() {
    two();
}
