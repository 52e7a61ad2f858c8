//! Shared values by their type.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Shared values by their type.
#[derive(Clone, Default)]
pub(crate) struct States {
    values: HashMap<TypeId, (&'static str, Arc<dyn Any + Send + Sync>)>,
}

impl States {
    pub(crate) fn insert<T: Any + Send + Sync>(&mut self, value: Arc<T>) {
        self.values
            .insert(TypeId::of::<T>(), (type_name::<T>(), value));
    }

    pub(super) fn borrow<T: Any + Send + Sync>(&self) -> Option<&T> {
        let (_, value) = self.values.get(&TypeId::of::<T>())?;
        value.downcast_ref()
    }

    pub(crate) fn contains(&self, id: TypeId) -> bool {
        self.values.contains_key(&id)
    }

    pub(super) fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let (_, value) = self.values.get(&TypeId::of::<T>())?;
        Arc::downcast(Arc::clone(value)).ok()
    }
}

/// The names of the types only: a state may hold secrets.
impl fmt::Debug for States {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.values.values().map(|(name, _)| name).collect();
        names.sort_unstable();
        formatter.debug_set().entries(names).finish()
    }
}
