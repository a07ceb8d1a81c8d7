//! Cases.
use crate::case_spec::CaseSpec;
use crate::elements::ElementError;
pub(super) fn cases() -> Result<Vec<CaseSpec>, ElementError> {
    Ok(vec![])
}
