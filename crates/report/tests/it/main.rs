//! Pages and screens of whole runs.

mod compare;
mod diagnosis;
mod html;
mod synthetic;
