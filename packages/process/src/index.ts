/** Start, watch and end a tree of processes. */
export { startProcess } from "./spawn.ts";
export type { EndOptions, EndReport, ManagedProcess, StartOptions } from "./spawn.ts";
export type { Exit } from "./exit.ts";
export { describeExit } from "./exit.ts";
export { StartError } from "./start-error.ts";
export { endGroup, groupIsAlive, processIsAlive, taskkillArguments } from "./tree.ts";
export { endMarked, findMarked, MARKER_VARIABLE, newMarker } from "./marker.ts";
export { tailOf } from "./tail.ts";
export type { Tail, TailOptions } from "./tail.ts";
export { commandLine, diagnoseStart } from "./diagnose.ts";
export type { StartDiagnosis, StartDiagnosisCode, StartFacts } from "./diagnose.ts";
export { inspectCommand } from "./inspect-command.ts";
export type { CommandFacts, FileKind, InspectOptions } from "./inspect-command.ts";
export { runProgram } from "./run.ts";
export type { RunOptions, RunResult } from "./run.ts";
export type { Captured } from "./capture.ts";
export { windowsCandidates, windowsLaunch } from "./windows-launcher.ts";
export type { WindowsLaunch } from "./windows-launcher.ts";
