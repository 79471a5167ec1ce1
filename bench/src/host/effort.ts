/** How long to measure, and what. */
export interface Effort {
  readonly runs: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly wants: (row: string) => boolean;
}
