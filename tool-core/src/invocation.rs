//! How an expansion of `#[tool]` takes the arguments of one call.

use std::any::{Any, TypeId};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::arguments::{Missing, Slot, Whole};
use crate::context::Context;
use crate::{Output, ToolError};

/// A boxed future that can move between threads.
pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The object whose method a toolbox tool is.
pub(crate) type Receiver = Arc<dyn Any + Send + Sync>;

/// A call whose arguments have been taken, ready to run.
pub enum Work {
    /// An async function.
    Async(BoxFuture<Result<Output, ToolError>>),
    /// A sync function, to be run where it may block.
    Blocking(Box<dyn FnOnce() -> Result<Output, ToolError> + Send>),
}

impl fmt::Debug for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Async(_) => "Async",
            Self::Blocking(_) => "Blocking",
        })
    }
}

/// What a tool's function cannot be given.
#[derive(Debug)]
pub enum Mismatch {
    /// The parameter with this index does not take its argument.
    Argument(usize, serde_json::Error),
    /// The struct does not take the object.
    Whole(serde_json::Error),
    /// The state or the receiver is not there.
    State(&'static str),
}

/// One call, as the expansion of `#[tool]` sees it.
pub struct Invocation<'a> {
    pub(crate) slots: &'a [Slot<'a>],
    pub(crate) whole: Whole<'a>,
    pub(crate) context: Option<&'a Context>,
    pub(crate) receiver: Option<&'a Receiver>,
}

impl fmt::Debug for Invocation<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Invocation")
    }
}

impl Invocation<'_> {
    /// The argument of the parameter with this index. A missing one is given
    /// to the type as missing, which an `Option` takes.
    ///
    /// # Errors
    ///
    /// When the type does not take the value.
    pub fn argument<T: DeserializeOwned>(&self, index: usize) -> Result<T, Mismatch> {
        let taken = match self.slots.get(index) {
            Some(Slot::Raw(text)) => serde_json::from_str(text),
            Some(Slot::Parsed(value)) => T::deserialize(&**value),
            Some(Slot::Borrowed(value)) => T::deserialize(*value),
            Some(Slot::Absent) | None => T::deserialize(Missing),
        };
        taken.map_err(|error| Mismatch::Argument(index, error))
    }

    /// The argument of the parameter with this index, or its default.
    ///
    /// # Errors
    ///
    /// When the type does not take the value.
    pub fn argument_or<T: DeserializeOwned>(
        &self,
        index: usize,
        default: fn() -> T,
    ) -> Result<T, Mismatch> {
        match self.slots.get(index) {
            Some(Slot::Absent) | None => Ok(default()),
            Some(_) => self.argument(index),
        }
    }

    /// The whole object as one struct.
    ///
    /// # Errors
    ///
    /// When the struct does not take the object.
    pub fn whole<T: DeserializeOwned>(&self) -> Result<T, Mismatch> {
        let taken = match self.whole {
            Whole::Text(text) => serde_json::from_str(text),
            Whole::Value(value) => T::deserialize(value),
        };
        taken.map_err(Mismatch::Whole)
    }

    /// The state of this type.
    ///
    /// # Errors
    ///
    /// When the context has none.
    pub fn state<T: Any + Send + Sync>(&self) -> Result<Arc<T>, Mismatch> {
        self.context
            .and_then(Context::shared_state::<T>)
            .ok_or(Mismatch::State(std::any::type_name::<T>()))
    }

    /// The object whose method the tool is.
    ///
    /// # Errors
    ///
    /// When the tool was not made by the toolbox of this type.
    pub fn receiver<T: Any + Send + Sync>(&self) -> Result<Arc<T>, Mismatch> {
        self.receiver
            .and_then(|receiver| Arc::downcast(Arc::clone(receiver)).ok())
            .ok_or(Mismatch::State(std::any::type_name::<T>()))
    }

    /// The context of the call.
    pub fn context(&self) -> Context {
        self.context.cloned().unwrap_or_default()
    }
}

/// The type id of a state, as a function for a static.
pub fn type_id<T: Any>() -> TypeId {
    TypeId::of::<T>()
}
