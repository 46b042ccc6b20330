//! Which constraints fit which types: checked while compiling, at the word in the attribute.

/// A number: may have `min` and `max`.
#[diagnostic::on_unimplemented(message = "this constraint is for numbers, and `{Self}` is none")]
pub trait Number {
    /// The least whole number that fits.
    const MIN: i128 = i128::MIN;
    /// The greatest whole number that fits.
    const MAX: i128 = i128::MAX;
}

/// A type whose default may be a whole number. No blanket over [`Number`], or the compiler would speak of constraints.
#[diagnostic::on_unimplemented(
    message = "a number does not fit `{Self}`",
    note = "the default of a text is written as a text: `default = \"5\"`"
)]
pub trait Whole: Number {}

/// A number with a fraction.
#[diagnostic::on_unimplemented(message = "a number with a fraction does not fit `{Self}`")]
pub trait Fraction {}

/// A text: may have `min_length`, `max_length`, `pattern` and `format`.
#[diagnostic::on_unimplemented(message = "this is for texts, and `{Self}` is none")]
pub trait Text {
    /// The texts allowed, all of them when empty.
    const VALUES: &'static [&'static str] = &[];
}

/// A list: may have `min_items` and `max_items`.
#[diagnostic::on_unimplemented(message = "this constraint is for lists, and `{Self}` is none")]
pub trait List {}

/// Yes or no.
#[diagnostic::on_unimplemented(message = "`true` and `false` do not fit `{Self}`")]
pub trait Boolean {}

macro_rules! integers {
    ($($integer:ty)*) => { $(
        impl Number for $integer {
            const MIN: i128 = <$integer>::MIN as i128;
            const MAX: i128 = <$integer>::MAX as i128;
        }
        impl Whole for $integer {}
    )* };
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl Number for f32 {}
impl Number for f64 {}
impl Whole for f32 {}
impl Whole for f64 {}
impl Fraction for f32 {}
impl Fraction for f64 {}
impl Text for String {}
impl Text for char {}
impl Boolean for bool {}
impl<T> List for Vec<T> {}

impl<T: Number> Number for Option<T> {
    const MIN: i128 = T::MIN;
    const MAX: i128 = T::MAX;
}
impl<T: Whole> Whole for Option<T> {}
impl<T: Text> Text for Option<T> {
    const VALUES: &'static [&'static str] = T::VALUES;
}
impl<T: List> List for Option<T> {}

/// A reference to it compiles only if `T` is a number.
pub const fn number<T: Number>() {}

/// A reference to it compiles only if `T` is a text.
pub const fn text<T: Text>() {}

/// A reference to it compiles only if `T` is a list.
pub const fn list<T: List>() {}

/// A whole number as default of a `T`.
pub const fn whole_default<T: Whole>(value: i128) {
    assert!(value >= T::MIN && value <= T::MAX, "the default does not fit the type");
}

/// A number with a fraction as default of a `T`.
pub const fn fraction_default<T: Fraction>() {}

/// `true` or `false` as default of a `T`.
pub const fn boolean_default<T: Boolean>() {}

/// A text as default of a `T`.
pub const fn text_default<T: Text>(value: &str) {
    let mut idx = 0;
    let mut known = T::VALUES.is_empty();
    while idx < T::VALUES.len() {
        known |= equal(T::VALUES[idx], value);
        idx += 1;
    }
    assert!(known, "the default is none of the values allowed");
}

/// `==` of texts is not const.
const fn equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut idx = 0;
    while idx < left.len() {
        if left[idx] != right[idx] {
            return false;
        }
        idx += 1;
    }
    true
}
