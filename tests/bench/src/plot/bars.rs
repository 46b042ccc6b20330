//! Horizontal bars: one for each subject, grouped into panels with an axis each.

use super::{
    axis,
    canvas::{Anchor, COLORS, Canvas},
};
use crate::statistics::as_f64;

/// A panel.
#[derive(Clone, Debug)]
pub struct Bars {
    /// What is shown, with its unit.
    pub title: String,
    /// From the top.
    pub bars: Vec<Bar>,
}

/// One bar, or several over one another.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it is of.
    pub label: String,
    /// The lengths, the first one on top.
    pub values: Vec<f64>,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 210.0;
const RIGHT: f64 = 80.0;
const ROW: f64 = 18.0;
const GAP: f64 = 10.0;

/// Draws panels below one another. `legend` names the values of every bar, where there are several.
pub fn bars(panels: &[Bars], legend: &[&str]) -> String {
    let height_of = |panel: &Bars| {
        let rows: f64 = panel.bars.iter().map(|bar| height(bar) + GAP).sum();
        rows + 80.0
    };
    let total: f64 = panels.iter().map(height_of).sum();
    let mut canvas = Canvas::new(WIDTH, total + 10.0);
    let mut top = 0.0;
    for panel in panels {
        draw(&mut canvas, panel, legend, top);
        top += height_of(panel);
    }
    canvas.finish()
}

fn draw(canvas: &mut Canvas, panel: &Bars, legend: &[&str], top: f64) {
    canvas.title((20.0, top + 28.0), &panel.title);
    let n_values = panel.bars.iter().map(|bar| bar.values.len()).max().unwrap_or_default();
    if n_values > 1 {
        let mut x = WIDTH - RIGHT - 90.0 * as_f64(n_values as u64);
        for (idx, name) in legend.iter().take(n_values).enumerate() {
            canvas.rectangle((x, top + 17.0), (12.0, 12.0), COLORS[idx]);
            canvas.text((x + 18.0, top + 28.0), Anchor::Start, name);
            x += 90.0;
        }
    }
    let values = panel.bars.iter().flat_map(|bar| bar.values.iter().copied());
    let marks = axis::marks(values.fold(0.0, f64::max));
    let most = marks.last().copied().unwrap_or(1.0);
    let x_of = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * value / most;
    let rows: f64 = panel.bars.iter().map(|bar| height(bar) + GAP).sum();
    let bottom = top + 44.0 + rows;
    for mark in &marks {
        canvas.line((x_of(*mark), top + 40.0), (x_of(*mark), bottom), "#dddddd");
        canvas.text((x_of(*mark), bottom + 16.0), Anchor::Middle, &axis::number(*mark));
    }
    let mut y = top + 46.0;
    for bar in &panel.bars {
        canvas.text((LEFT - 10.0, y + height(bar) / 2.0 + 4.0), Anchor::End, &bar.label);
        for (idx, value) in bar.values.iter().enumerate() {
            let width = x_of(*value) - LEFT;
            canvas.rectangle((LEFT, y), (width, ROW - 3.0), COLORS[idx]);
            canvas.text((x_of(*value) + 6.0, y + 12.0), Anchor::Start, &axis::number(*value));
            y += ROW;
        }
        y += GAP;
    }
}

fn height(bar: &Bar) -> f64 {
    ROW * as_f64(bar.values.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_has_its_label_and_its_number() {
        let bar = |label: &str, value| Bar { label: label.into(), values: vec![value] };
        let panel =
            Bars { title: "CPU & more".into(), bars: vec![bar("a<b", 12.0), bar("c", 24.0)] };
        let svg = bars(&[panel], &[]);
        for part in ["CPU &amp; more", ">a&lt;b</text>", ">12</text>", ">24</text>", "</svg>"] {
            assert!(svg.contains(part), "no {part} in {svg}");
        }
    }
}
