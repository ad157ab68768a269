const item = 'dataagent.key'

/**
 * Moves the key of a sign-in link (`#key=…`) into this tab's storage and takes it out of the
 * address bar. Gives back whether there was one.
 */
export function takeKeyFromAddress(): boolean {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return false
  history.replaceState(null, '', location.pathname + location.search)
  storeKey(key.trim())
  return true
}

export function storedKey(): string | null {
  return sessionStorage.getItem(item)
}

export function storeKey(key: string): void {
  sessionStorage.setItem(item, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(item)
}
