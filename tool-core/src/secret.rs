//! A value that must not be seen.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error as _};
use zeroize::Zeroize;

use crate::redact::REDACTED;
use crate::redact::living::Registration;

/// A value that must not be seen: a password, a key, a token.
///
/// It can be a parameter of a tool, a field of a struct that is one, or part
/// of a state. It has neither `Display` nor `Serialize`, and its `Debug` is
/// `Secret([redacted])`. Its schema is that of `T` with `"writeOnly": true`,
/// so that no message about wrong arguments quotes what was sent for it.
///
/// While a secret text, a `String` or a `Box<str>` of at least four bytes, or
/// a clone of it is alive, every [`Executor`](crate::Executor) of the process
/// takes it out of all that its tools give back. A value that takes it over by
/// [`expose`](Self::expose) is a copy that nobody watches.
///
/// When it is dropped, the memory of texts and bytes (`String`, `Box<str>`,
/// `Vec<u8>`, `Box<[u8]>`) is overwritten. Any other type has to do that in
/// its own `Drop`. What the value was copied from, such as the request that it
/// came in, is not overwritten; nor is at once the index by which more than a
/// few secrets are searched, which is made anew as they go.
///
/// # Examples
///
/// ```
/// use tool_core::{Context, Secret, tool};
///
/// /// Log in to the shop.
/// #[tool(name = "shop-log_in")]
/// fn log_in(
///     /// The customer's user name.
///     user: String,
///     /// The customer's password.
///     password: Secret<String>,
/// ) -> String {
///     let known = password.expose() == "correct horse";
///     format!("{user}, {password:?}: {known}")
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let tool = log_in::tool();
/// let schema = &tool.definition().parameters["properties"]["password"];
/// assert_eq!(schema["writeOnly"], true);
///
/// let call = r#"{"user":"ada","password":"correct horse"}"#;
/// let output = tool.call(call, &Context::new()).await.unwrap();
/// assert_eq!(output.text(), "ada, Secret([redacted]): true");
///
/// let error = tool.call(r#"{"user":"ada","password":12345}"#, &Context::new()).await.unwrap_err();
/// assert!(!error.to_model().contains("12345"));
/// # });
/// ```
pub struct Secret<T: 'static> {
    value: T,
    /// That the value is known to redactors; shared by all clones.
    registration: Option<Arc<Registration>>,
}

impl<T: 'static> Secret<T> {
    /// Makes a value a secret.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::Secret;
    ///
    /// let key = Secret::new("sk-1234".to_owned());
    /// assert_eq!(key.expose(), "sk-1234");
    /// assert_eq!(format!("{key:?}"), "Secret([redacted])");
    /// ```
    pub fn new(value: T) -> Self {
        let registration = text(&value).and_then(Registration::new).map(Arc::new);
        Self {
            value,
            registration,
        }
    }

    /// The value itself. Where it goes from here is no longer watched.
    pub fn expose(&self) -> &T {
        &self.value
    }
}

/// The value as a text, where it is one.
fn text(value: &dyn Any) -> Option<&str> {
    if let Some(text) = value.downcast_ref::<String>() {
        Some(text)
    } else {
        value.downcast_ref::<Box<str>>().map(|text| &**text)
    }
}

impl<T: 'static> Drop for Secret<T> {
    fn drop(&mut self) {
        let value: &mut dyn Any = &mut self.value;
        if let Some(text) = value.downcast_mut::<String>() {
            text.zeroize();
        } else if let Some(text) = value.downcast_mut::<Box<str>>() {
            text.zeroize();
        } else if let Some(bytes) = value.downcast_mut::<Vec<u8>>() {
            bytes.zeroize();
        } else if let Some(bytes) = value.downcast_mut::<Box<[u8]>>() {
            bytes.zeroize();
        }
    }
}

impl<T: 'static> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Clone + 'static> Clone for Secret<T> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            registration: self.registration.clone(),
        }
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secret({REDACTED})")
    }
}

impl<'de, T: Deserialize<'de> + 'static> Deserialize<'de> for Secret<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match T::deserialize(deserializer) {
            Ok(value) => Ok(Self::new(value)),
            // Errors of serde quote what they got.
            Err(_) => Err(D::Error::custom(
                "a secret is missing or not of the form that is expected",
            )),
        }
    }
}

impl<T: JsonSchema + 'static> JsonSchema for Secret<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Secret_{}", T::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("tool_core::Secret<{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<T>();
        schema.insert("writeOnly".to_owned(), true.into());
        schema
    }
}
