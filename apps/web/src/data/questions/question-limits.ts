/** What the server takes of a question and of what is noted of it. */
export const [questionMax, noteMax] = [500, 1_000]
