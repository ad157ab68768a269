/**
 * Requests during which a server may ask something back (2026-07-28, basic/patterns/mrtr,
 * "Supported Requests").
 */
export const askingMethods: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
])
