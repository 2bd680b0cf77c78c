/** A curve: positive numbers over positive numbers. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Drawn thick: what the chart is about. */
  readonly leading?: boolean;
  /** Drawn broken: of another kind than the others. */
  readonly broken?: boolean;
}

/** What is written at the sides of a chart. */
export interface ChartText {
  readonly title: string;
  readonly xLabel: string;
  /** With its unit. */
  readonly yLabel: string;
}

const [WIDTH, HEIGHT] = [720, 440];
const PLOT = { left: 66, right: 530, top: 48, bottom: 388 };
/** Between the names at the ends of two curves. */
const NAME_HEIGHT = 16;
/** Colours of Okabe and Ito, which most colour-blind people tell apart, moved to the middle so that both grounds carry them. */
const COLOURS = ["#1f83d6", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#6b9e1f", "#8f6fc8", "#7f7f7f"];

/** A chart with both axes logarithmic, as an SVG of its own that is legible on a light and on a dark page. */
export function logChart({ title, xLabel, yLabel }: ChartText, curves: readonly Curve[]): string {
  const drawn = curves.filter(({ points }) => points.length > 0);
  const x = axis(
    drawn.flatMap(({ points }) => points.map(([at]) => at)),
    PLOT.left,
    PLOT.right,
    false,
  );
  const y = axis(
    drawn.flatMap(({ points }) => points.map(([, at]) => at)),
    PLOT.bottom,
    PLOT.top,
    true,
  );
  const text = (at: readonly [number, number], words: string, more = ""): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}"${more}>${escaped(words)}</text>`;
  const line = (from: readonly [number, number], to: readonly [number, number], kind: string): string =>
    `<line class="${kind}" x1="${from[0].toFixed(1)}" y1="${from[1].toFixed(1)}" x2="${to[0].toFixed(1)}" y2="${to[1].toFixed(1)}"/>`;
  const ends = namePlaces(drawn.map(({ points }) => y.at(points.at(-1)![1])));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escaped(title)}">`,
    "<style>",
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:15px;font-weight:600}.end{text-anchor:end}.mid{text-anchor:middle}",
    ".grid{stroke:#8884;stroke-width:1}.axis{stroke:#888;stroke-width:1}.lead{stroke:#8888;stroke-width:1}",
    "@media(prefers-color-scheme:dark){text{fill:#ddd}}",
    "</style>",
    text([PLOT.left, 24], title, ' class="title"'),
    ...y.ticks.flatMap((tick) => [
      line([PLOT.left, y.at(tick)], [PLOT.right, y.at(tick)], "grid"),
      text([PLOT.left - 8, y.at(tick) + 4], tickName(tick), ' class="end"'),
    ]),
    ...x.ticks.flatMap((tick) => [
      line([x.at(tick), PLOT.bottom], [x.at(tick), PLOT.bottom + 5], "axis"),
      text([x.at(tick), PLOT.bottom + 20], tickName(tick), ' class="mid"'),
    ]),
    line([PLOT.left, PLOT.bottom], [PLOT.right, PLOT.bottom], "axis"),
    text([(PLOT.left + PLOT.right) / 2, HEIGHT - 12], xLabel, ' class="mid"'),
    text([0, 0], yLabel, ` class="mid" transform="translate(18 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)"`),
    ...drawn.flatMap(({ name, points, leading, broken }, i) => {
      const colour = COLOURS[i % COLOURS.length]!;
      const places = points.map(([px, py]) => [x.at(px), y.at(py)] as const);
      const [endX, endY] = places.at(-1)!;
      const look = `stroke="${colour}" stroke-width="${leading === true ? 3.5 : 1.8}"${broken === true ? ' stroke-dasharray="6 4"' : ""}`;
      return [
        `<polyline fill="none" ${look} points="${places.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(" ")}"/>`,
        ...places.map(
          ([px, py]) =>
            `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="${leading === true ? 4.5 : 3}" fill="${colour}"/>`,
        ),
        line([endX + 6, endY], [PLOT.right + 14, ends[i]!], "lead"),
        text(
          [PLOT.right + 18, ends[i]! + 4],
          name,
          ` style="fill:${colour}${leading === true ? ";font-weight:700" : ""}"`,
        ),
      ];
    }),
    "</svg>\n",
  ].join("\n");
}

interface Axis {
  readonly ticks: readonly number[];
  /** Where a value lies on the page. */
  at(value: number): number;
}

/** From the least to the greatest, with powers of ten and, where those are few, their twofold and fivefold as ticks. */
function axis(values: readonly number[], from: number, to: number, wide: boolean): Axis {
  const margin = wide ? 1.25 : 1;
  const [least, most] = [Math.min(...values) / margin, Math.max(...values) * margin];
  const span = Math.log10(most / least) || 1;
  const steps = span > 2.2 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power++)
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (tick >= least * 0.999 && tick <= most * 1.001) ticks.push(tick);
    }
  return { ticks, at: (value) => from + ((to - from) * Math.log10(value / least)) / span };
}

/** Heights for names that would like to stand at these heights, so that none covers another. */
function namePlaces(wanted: readonly number[]): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]!);
  const places = [...wanted];
  order.forEach((i, rank) => {
    if (rank > 0) places[i] = Math.max(places[i]!, places[order[rank - 1]!]! + NAME_HEIGHT);
  });
  // Those that were pushed below the chart push back.
  let floor = HEIGHT - NAME_HEIGHT;
  for (const i of order.reverse()) {
    places[i] = Math.min(places[i]!, floor);
    floor = places[i] - NAME_HEIGHT;
  }
  return places;
}

function tickName(tick: number): string {
  return tick >= 1 ? tick.toLocaleString("en") : String(Number(tick.toPrecision(1)));
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
