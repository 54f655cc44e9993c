//! Import of gold sets and collections from other formats.

mod beir;
mod clapnq;
mod imported;
mod judged;
mod names;
mod rows;
mod squad;
mod table;
mod trec;
mod write;

pub use beir::{BeirFolder, import_beir};
pub use clapnq::import_clapnq;
pub use imported::{Imported, NewDocument};
pub use rows::{ChunkPlaces, Rows};
pub use squad::import_squad;
pub use trec::import_trec;
pub use write::{Destination, write_import};

pub(crate) use imported::split_of;
