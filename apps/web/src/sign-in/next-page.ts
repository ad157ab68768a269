const kept = 'next'

/**
 * Where the browser goes once it is signed in: what `?next=` of the address asks for, now or before
 * it went to an identity provider.
 */
export function takeNextPage(): string | undefined {
  const before = sessionStorage.getItem(kept)
  sessionStorage.removeItem(kept)
  return checkNextPage(askedPage() ?? before)
}

/** For the way to an identity provider, which leads back without it. */
export function keepNextPage(): void {
  const next = checkNextPage(askedPage())
  if (next !== undefined) sessionStorage.setItem(kept, next)
}

/**
 * Only pages of ours on which access is granted: no link may lead a person who signs in elsewhere.
 */
export function checkNextPage(next: string | null): string | undefined {
  if (next === null || !/^\/mcp\/oauth\/[\x21-\x7e]*$/.test(next)) return undefined
  const [path = ''] = next.split(/[?#]/, 1)
  const isPlain = !path.includes('//') && !path.includes('%') && !next.includes('\\')
  return isPlain && new URL(next, 'http://own').pathname === path ? next : undefined
}

function askedPage(): string | null {
  return new URLSearchParams(location.search).get('next')
}
