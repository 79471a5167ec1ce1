/** The results page. Pure. */

const METHOD = `Written by \`npm run bench\`; \`bench/README.md\` tells how to read it and how to measure one row.

Ratios, never bare times: what is compared runs in one run, interleaved block by block, and processes that talk over
pipes are pinned to one core where the system can do that, so that a busy machine slows both sides alike. Each round gives
a ratio, each run the median of its rounds, and the table shows the median of the runs. \`NODE_EXTRA_CA_CERTS\` is taken
out of the environment, because it slows every start of Node. A ratio is always ours divided by theirs: of times it is to be low, of rates high.`;

export function resultsPage({ sections, machine, loadAtEnd }) {
  const { cores, processor, memory, system, node, load, commit, day } = machine;
  const goals = sections.flatMap(({ rows }) => rows).filter((row) => row.goal !== "none");
  const missed = goals.filter((row) => !row.reached);
  const parts = [
    "# Results",
    METHOD,
    `${day}, commit ${commit}: ${processor}, ${cores} cores, ${memory}, ${system}, Node ${node}. Load ${load} when it began, ${loadAtEnd} when it ended; above 1 other programs were at work.`,
    `**${goals.length - missed.length} of ${goals.length} goals reached.**${missedText(missed)}`,
    ...sections.map(({ program, rows, failure }) => {
      const body = failure === null ? tableOf(rows) : `Not measured: ${failure}.`;
      return [`## ${program.title}`, program.method, body].filter((text) => text !== "").join("\n\n");
    }),
  ];
  return `${parts.join("\n\n")}\n`;
}

export function tableOf(rows) {
  const cells = rows.map(({ row, unit, ours, against, theirs, ratio, goal, reached }) => [
    row,
    measured(ours, unit),
    `${against}: ${measured(theirs, unit)}`,
    String(ratio),
    goal === "none" ? "" : goal,
    goal === "none" ? "" : reached ? "reached" : "**missed**",
  ]);
  const table = [["row", "ours", "against", "ratio", "goal", ""], ["---", "--:", "--:", "--:", "---", "---"], ...cells];
  return aligned(table)
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
}

function missedText(missed) {
  if (missed.length === 0) return "";
  return ` Missed: ${missed.map(({ row, against, ratio, goal }) => `${row} against ${against} (${ratio}, ${goal})`).join("; ")}.`;
}

function measured(value, unit) {
  if (value === undefined || value === null) return "";
  return `${value.toLocaleString("en-US")}${unit === "" ? "" : ` ${unit}`}`;
}

/** Cells of one column have one width, as the formatter would have them. */
function aligned(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  return table.map((line, index) =>
    line.map((cell, column) => {
      if (index === 1) return cell.endsWith(":") ? `${"-".repeat(widths[column] - 1)}:` : "-".repeat(widths[column]);
      return table[1][column].endsWith(":") ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
    }),
  );
}
