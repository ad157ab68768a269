export interface Health {
  status: 'ok' | 'degraded'
  version: string
  uptime: number
}

export interface DependencyState {
  name: string
  status: 'connecting' | 'ready' | 'away'
  since: number
}

export interface Principal {
  tenant_id: string
  user_id: string
  role: string
}

export type SignIn =
  | { status: 'signed_in'; principal: Principal }
  | { status: 'refused' }
  | { status: 'limited' }
  | { status: 'unreachable' }

/** Undefined when the server does not answer. */
export async function fetchHealth(signal: AbortSignal): Promise<Health | undefined> {
  const response = await get('/api/v1/health', { signal })
  return response?.ok ? ((await response.json()) as Health) : undefined
}

/** What the server needs, with the state of each; empty when it does not answer. */
export async function fetchDependencies(signal: AbortSignal): Promise<DependencyState[]> {
  const response = await get('/api/v1/ready', { signal })
  if (!response) return []
  const body = (await response.json()) as {
    dependencies?: DependencyState[]
    details?: { dependencies?: DependencyState[] }
  }
  return body.dependencies ?? body.details?.dependencies ?? []
}

/** Who this browser is signed in as, or everyone where authentication is off. */
export async function fetchMe(signal: AbortSignal): Promise<SignIn> {
  return toSignIn(await get('/api/v1/me', { signal }))
}

/** Gives the key to the server, which gives the browser a cookie that no script can read. */
export async function signIn(api_key: string): Promise<SignIn> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ api_key })
  return toSignIn(await get('/api/v1/sign-in', { method: 'POST', headers, body }))
}

/** False where the browser may still be signed in. */
export async function signOut(): Promise<boolean> {
  const response = await get('/api/v1/sign-out', { method: 'POST' })
  return response?.ok === true || response?.status === 401
}

/** The name of the identity provider, where there is one. */
export async function fetchProvider(signal: AbortSignal): Promise<string | undefined> {
  const response = await get('/api/v1/sign-in/methods', { signal })
  if (!response?.ok) return undefined
  const { oidc } = (await response.json()) as { oidc: { name: string } | null }
  return oidc?.name
}

async function toSignIn(response: Response | undefined): Promise<SignIn> {
  if (response?.ok) return { status: 'signed_in', principal: (await response.json()) as Principal }
  if (response?.status === 429) return { status: 'limited' }
  return { status: response?.status === 401 ? 'refused' : 'unreachable' }
}

async function get(path: string, init: RequestInit): Promise<Response | undefined> {
  try {
    return await fetch(path, init)
  } catch {
    return undefined
  }
}
