//! Sets of JSON types.

/// The types of JSON values, one bit each.
pub(super) struct Types;

impl Types {
    pub(super) const TEXT: u8 = 1;
    pub(super) const WHOLE: u8 = 1 << 1;
    pub(super) const FRACTION: u8 = 1 << 2;
    pub(super) const TRUTH: u8 = 1 << 3;
    pub(super) const LIST: u8 = 1 << 4;
    pub(super) const OBJECT: u8 = 1 << 5;
    pub(super) const NULL: u8 = 1 << 6;
    pub(super) const ALL: u8 = (1 << 7) - 1;
}
