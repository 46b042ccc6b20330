//! Plots as SVG text: bars side by side, and lines over time.

mod axis;
mod bars;
mod canvas;
mod lines;

pub use self::{
    bars::{Bar, Bars, bars},
    lines::{Lines, Series, lines},
};
