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

/** Who we are with this key, or without one where authentication is off. */
export async function signIn(key: string | null, signal?: AbortSignal): Promise<SignIn> {
  const response = await get('/api/v1/me', {
    ...(key && { headers: { 'X-API-Key': key } }),
    ...(signal && { signal }),
  })
  if (response?.ok) return { status: 'signed_in', principal: (await response.json()) as Principal }
  return { status: response?.status === 401 ? 'refused' : 'unreachable' }
}

async function get(path: string, init: RequestInit): Promise<Response | undefined> {
  try {
    return await fetch(path, init)
  } catch {
    return undefined
  }
}
