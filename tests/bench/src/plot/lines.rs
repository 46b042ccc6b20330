//! Lines over one axis of time, in panels below one another.

use super::{
    axis,
    canvas::{Anchor, COLORS, Canvas},
};

/// A panel.
#[derive(Clone, Debug)]
pub struct Lines {
    /// What is shown, with its unit.
    pub title: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// What it is of.
    pub name: String,
    /// The values, one for each second.
    pub values: Vec<f64>,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 200.0;
const HEIGHT: f64 = 190.0;
const PLOT: f64 = 120.0;

/// Draws panels below one another, over minutes.
pub fn lines(panels: &[Lines]) -> String {
    let mut top = 0.0;
    let n_panels = panels.iter().map(|_| HEIGHT).sum::<f64>();
    let mut canvas = Canvas::new(WIDTH, n_panels + 10.0);
    for panel in panels {
        draw(&mut canvas, panel, top);
        top += HEIGHT;
    }
    canvas.finish()
}

fn draw(canvas: &mut Canvas, panel: &Lines, top: f64) {
    canvas.title((20.0, top + 26.0), &panel.title);
    let values = panel.series.iter().flat_map(|series| series.values.iter().copied());
    let marks = axis::marks(values.fold(0.0, f64::max));
    let most = marks.last().copied().unwrap_or(1.0);
    let n_seconds = panel.series.iter().map(|series| series.values.len()).max().unwrap_or(1);
    let minutes = |second: usize| f64::from(u32::try_from(second).unwrap_or(u32::MAX)) / 60.0;
    let last = minutes(n_seconds.saturating_sub(1)).max(1.0 / 60.0);
    let (y0, right) = (top + 40.0 + PLOT, WIDTH - RIGHT);
    let x_of = |minute: f64| LEFT + (right - LEFT) * minute / last;
    let y_of = |value: f64| y0 - PLOT * value / most;
    for mark in &marks {
        canvas.line((LEFT, y_of(*mark)), (right, y_of(*mark)), "#dddddd");
        canvas.text((LEFT - 8.0, y_of(*mark) + 4.0), Anchor::End, &axis::number(*mark));
    }
    for mark in axis::marks(last).into_iter().filter(|mark| *mark <= last) {
        let text = format!("{} min", axis::number(mark));
        canvas.text((x_of(mark), y0 + 17.0), Anchor::Middle, &text);
    }
    let mut y = top + 50.0;
    for (idx, series) in panel.series.iter().enumerate() {
        let color = COLORS[idx % COLORS.len()];
        let points: Vec<_> = series
            .values
            .iter()
            .enumerate()
            .map(|(second, value)| (x_of(minutes(second)), y_of(*value)))
            .collect();
        canvas.path(&points, color);
        canvas.rectangle((right + 14.0, y - 6.0), (14.0, 4.0), color);
        canvas.text((right + 34.0, y), Anchor::Start, &series.name);
        y += 17.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_point_for_each_second() {
        let series = Series { name: "RSS".into(), values: vec![1.0, 2.0, 4.0] };
        let svg = lines(&[Lines { title: "MiB".into(), series: vec![series] }]);
        let points = svg.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(points, "70.0,130.0 365.0,100.0 660.0,40.0");
        assert!(svg.contains(">RSS</text>"), "{svg}");
    }
}
