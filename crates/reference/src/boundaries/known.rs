//! The boundaries of operators, each sought once for each type: that takes up to seconds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use values::dtype::DType;

use super::{Solved, Unsolved, solved};
use crate::operator::Operator;

/// What was found, by the name of an operator and a type.
type Found = BTreeMap<(&'static str, DType), Arc<[Solved]>>;

/// Every boundary of an operator's results of a type, as [`solved`] finds them; none of operators that have none.
pub fn of(operator: &Operator, dtype: DType) -> Result<Arc<[Solved]>, Unsolved> {
    static FOUND: Mutex<Found> = Mutex::new(Found::new());
    let found = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (operator.name, dtype);
    if let Some(known) = found().get(&key) {
        return Ok(Arc::clone(known));
    }
    let inputs = operator.reference.boundaries();
    let sought = inputs.map(|inputs| solved(inputs, dtype)).transpose()?.unwrap_or_default();
    let sought = Arc::from(sought);
    found().insert(key, Arc::clone(&sought));
    Ok(sought)
}
