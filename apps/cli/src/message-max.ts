/**
 * The longest message that a platform takes, in UTF-16 code units: that of the schema, which is not
 * loaded before the prompt is there.
 */
export const messageMax = 200_000
