/**
 * Changes that no test can notice, or need not. `what` is the text of the report.
 * @typedef {{ file: string, what: string, reason: string }} Accepted
 *
 * @type {readonly Accepted[]}
 */
export const accepted = []
