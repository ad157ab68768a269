/** The `_meta` of a request's parameters; empty where there is none. */
export function metaOf(params: Record<string, unknown> | undefined): Record<string, unknown> {
  const meta = params?._meta
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : {}
}
