/**
 * Whether a feature of the server's own is on for a tenant: `-name` wins over all; else `*` or its
 * name must be there.
 */
export function hasFeature(features: readonly string[], name: string): boolean {
  if (features.includes('-*') || features.includes(`-${name}`)) return false
  return features.includes('*') || features.includes(name)
}
