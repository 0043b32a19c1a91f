/** Why a request is refused: the kind of problem, and an English sentence about this occurrence. */
export interface Refusal {
  readonly problem: string;
  readonly detail: string;
}
