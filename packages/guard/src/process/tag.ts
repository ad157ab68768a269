/**
 * Set in every started process, and so in all it starts: how a descendant that left the group is
 * found again.
 */
export const tagName = 'DATAAGENT_PROCESS_TAG'
