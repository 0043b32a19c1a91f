/** The bounds of notifying the operator. */
export const operatorLimits = {
  /** Alerts that wait for the one that is being sent; beyond it the newest are only logged and counted. */
  waitingAlerts: 100,
  alertTimeoutMs: 5_000,
  /** Of the answer, whose content is ignored. */
  alertAnswerBytes: 65_536,
  /** How often a failing alert address is logged. */
  complaintEveryMs: 10 * 60_000,
  /** Of a path in a log line or an alert. */
  pathCharacters: 200,
} as const;
