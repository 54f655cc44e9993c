//! Gold sets of other programs and collections, turned into ours.

mod beir;
mod clapnq;
mod names;
mod qrels;
mod report;
mod rows;
mod squad;
mod table;
mod trec;
mod write;

pub use beir::{BeirFolder, import_beir};
pub use clapnq::import_clapnq;
pub use report::{Counts, IMPORT_SCHEMA, ImportReport, Imported, NewDocument, Refused};
pub use rows::{ChunkPlaces, Rows};
pub use squad::import_squad;
pub use trec::import_trec;
pub use write::{Destination, write_import};

pub(crate) use report::split_of;
