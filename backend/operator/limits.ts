/** The bounds of telling the operator. */
export const operatorLimits = {
  /** Alerts that wait for the one that is on its way; beyond it the newest are only logged and counted. */
  waitingAlerts: 100,
  alertTimeoutMs: 5_000,
  /** Of the answer, which nobody reads. */
  alertAnswerBytes: 65_536,
  /** An alert address that fails is logged once in this time. */
  complaintEveryMs: 10 * 60_000,
  /** Of a path in a line or an alert. */
  pathCharacters: 200,
} as const;
