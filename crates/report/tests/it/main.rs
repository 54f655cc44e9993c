//! Pages and screens of whole runs.

mod diagnosis;
mod html;
mod synthetic;
