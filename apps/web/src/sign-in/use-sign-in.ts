import { type Client, createClient, isClientError, pause } from '@dataagent/client'
import type { Me } from '@dataagent/schema'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isStarting } from './is-starting.ts'
import { takeNextPage } from './next-page.ts'
import { type Opened, type OtherPerson, openLink } from './open-link.ts'
import type { SignInProblem } from './sign-in-words.ts'
import { takeFromAddress } from './take-from-address.ts'

/** `failure` is an error that the sign-in has no words of its own for. */
interface WhyNot {
  problem?: SignInProblem | undefined
  failure?: unknown
}

export type SignInState =
  | { status: 'checking' }
  /** The server is not there yet; it is asked again. */
  | { status: 'starting' }
  | ({ status: 'signed_out' } & WhyNot)
  | { status: 'signed_in'; me: Me }

export interface SignIn {
  client: Client
  state: SignInState
  /** A link was opened whose key is of another person: to be entered, or left alone. */
  asked: OtherPerson | undefined
  leaveAlone(): void
  enter(apiKey: string): Promise<void>
  leave(): Promise<void>
  /** The sign-in was ended in another tab. */
  left(): void
}

const againMs = 1500

/** Who this browser is signed in as: by its cookie, a link that was opened, or a key. */
export function useSignIn(): SignIn {
  const [state, setState] = useState<SignInState>({ status: 'checking' })
  const [asked, setAsked] = useState<OtherPerson>()
  const renew = useLatest()

  const client = useMemo(
    () =>
      createClient({
        baseUrl: location.origin,
        onUnauthenticated: () =>
          setState((now) =>
            now.status === 'signed_in' ? { status: 'signed_out', problem: 'ended' } : now,
          ),
      }),
    [],
  )

  const enter = useCallback(
    async (apiKey: string) => {
      const signal = renew()
      setState({ status: 'checking' })
      try {
        const me = await client.identity.signIn(apiKey, { signal })
        arrive({ status: 'signed_in', me }, { setState, setAsked })
      } catch (error) {
        if (!signal.aborted) setState({ status: 'signed_out', ...problemOf(error) })
      }
    },
    [client, renew],
  )

  useEffect(() => {
    const takeKey = () => {
      const key = takeFromAddress('key')
      if (key) void enterByLink(client, key, { setState, setAsked, signal: renew() })
      return Boolean(key)
    }
    if (!takeKey()) {
      void begin(client, takeFromAddress('sign-in'), { setState, setAsked, signal: renew() })
    }
    // A sign-in link that is opened where the page is shown already loads nothing.
    addEventListener('hashchange', takeKey)
    return () => {
      removeEventListener('hashchange', takeKey)
      renew()
    }
  }, [client, renew])

  const left = useCallback(() => setState({ status: 'signed_out' }), [])
  const leave = useCallback(async () => {
    await client.identity.signOut().catch((error) => {
      if (!isClientError(error, 'unauthenticated')) throw error
    })
    left()
  }, [client, left])

  return { client, state, asked, leaveAlone: () => setAsked(undefined), enter, leave, left }
}

/** A signal for what begins now; that of what began before is aborted. */
function useLatest(): () => AbortSignal {
  const latest = useRef<AbortController>(undefined)
  return useCallback(() => {
    latest.current?.abort()
    latest.current = new AbortController()
    return latest.current.signal
  }, [])
}

interface Setters {
  setState(state: SignInState): void
  setAsked(asked: OtherPerson | undefined): void
}

interface Begin extends Setters {
  signal: AbortSignal
}

/** Whether somebody is signed in already. */
function begin(client: Client, told: string | null, being: Begin): Promise<void> {
  return untilAnswered(
    async (signal) => ({ status: 'signed_in', me: await client.identity.me({ signal }) }),
    (error) =>
      isClientError(error, 'unauthenticated')
        ? { problem: providerProblem(told) }
        : { failure: error },
    being,
  )
}

/** The link has left the address and cannot be opened again. */
function enterByLink(client: Client, key: string, being: Begin): Promise<void> {
  return untilAnswered((signal) => openLink(client, key, signal), problemOf, being)
}

/** Asks until the server answers: it may be just starting. */
async function untilAnswered(
  ask: (signal: AbortSignal) => Promise<Opened>,
  whyNot: (error: unknown) => WhyNot,
  { setState, setAsked, signal }: Begin,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return arrive(await ask(signal), { setState, setAsked })
    } catch (error) {
      if (signal.aborted) return
      if (!isStarting(error)) return setState({ status: 'signed_out', ...whyNot(error) })
      setState({ status: 'starting' })
      await pause(againMs, signal).catch(() => {})
    }
  }
}

function arrive(opened: Opened, { setState, setAsked }: Setters): void {
  setAsked(opened.status === 'other' ? opened : undefined)
  const isOther = opened.status === 'other'
  const next = isOther ? undefined : takeNextPage()
  if (isOther) setState({ status: 'signed_in', me: opened.now })
  else if (next === undefined) setState(opened)
  else location.replace(next)
}

/** Nobody is refused who has not tried; but who came back from a provider is told why. */
function providerProblem(told: string | null): SignInProblem | undefined {
  if (told === null) return undefined
  const known = ['refused', 'full'].find((each) => each === told) ?? 'failed'
  return `provider_${known}` as SignInProblem
}

function problemOf(error: unknown): WhyNot {
  if (isClientError(error, 'unauthenticated')) return { problem: 'refused' }
  if (isClientError(error, 'rate_limited')) return { problem: 'limited' }
  return isStarting(error) ? { problem: 'unreachable' } : { failure: error }
}
