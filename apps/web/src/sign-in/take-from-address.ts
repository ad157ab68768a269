/**
 * Takes what a link brought (`#key=…`, `#sign-in=…`) out of the address bar, and gives it. Nothing
 * of it is kept in the page.
 */
export function takeFromAddress(name: 'key' | 'sign-in'): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name)
  if (value === null) return null
  history.replaceState(null, '', location.pathname + location.search)
  return value.trim()
}
