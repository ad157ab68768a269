import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { fetchMe, fetchProvider, type Principal, type SignIn, signIn, signOut } from './api.ts'
import { takeFromAddress } from './key.ts'
import { keepNextPage, takeNextPage } from './next-page.ts'
import type { Translate } from './texts.ts'

type State =
  | SignIn
  | { status: 'signed_out' }
  | { status: 'checking' }
  | { status: 'provider'; problem: string }

export function SignInPanel({ t }: { t: Translate }) {
  const [state, setState] = useState<State>(checking)
  const provider = useProvider()

  const enter = useCallback(async (key: string) => {
    setState(checking)
    setState(await signIn(key))
  }, [])

  useEffect(() => {
    const leaving = new AbortController()

    async function begin() {
      const problem = takeFromAddress('sign-in')
      const next = await fetchMe(leaving.signal)
      if (!leaving.signal.aborted) setState(toFirstState(next, problem))
    }

    // A sign-in link that is opened where the page is shown already loads nothing.
    function onHashChange() {
      const key = takeFromAddress('key')
      if (key !== null) void enter(key)
    }

    const key = takeFromAddress('key')
    void (key === null ? begin() : enter(key))
    addEventListener('hashchange', onHashChange)
    return () => {
      removeEventListener('hashchange', onHashChange)
      leaving.abort()
    }
  }, [enter])

  useEffect(() => {
    const next = state.status === 'signed_in' ? takeNextPage() : undefined
    if (next !== undefined) location.replace(next)
  }, [state.status])

  async function onSignOut() {
    setState((await signOut()) ? signedOut : { status: 'unreachable' })
  }

  return (
    <section className="panel" aria-labelledby="sign-in-heading">
      <h2 id="sign-in-heading">{t(state.status === 'signed_in' ? 'signedIn' : 'signIn')}</h2>
      {state.status === 'signed_in' ? (
        <Account principal={state.principal} onSignOut={onSignOut} t={t} />
      ) : (
        <>
          <KeyForm state={state} onSubmit={enter} t={t} />
          {provider && (
            <p>
              <a href="/api/v1/sign-in/oidc" onClick={keepNextPage}>
                {t('signInWith')} {provider}
              </a>
            </p>
          )}
        </>
      )}
    </section>
  )
}

const signedOut = { status: 'signed_out' } as const
const checking = { status: 'checking' } as const

/** Nobody is refused who has not tried; but who came back from a provider is told why. */
function toFirstState(found: SignIn, problem: string | null): State {
  if (found.status !== 'refused') return found
  return problem === null ? signedOut : { status: 'provider', problem }
}

/** The name of the identity provider, once it is known. */
function useProvider(): string | undefined {
  const [name, setName] = useState<string>()
  useEffect(() => {
    const leaving = new AbortController()
    void fetchProvider(leaving.signal).then((found) => {
      if (!leaving.signal.aborted) setName(found)
    })
    return () => leaving.abort()
  }, [])
  return name
}

/** What to tell of a sign-in that did not succeed. */
function problemOf(state: State): string {
  if (state.status === 'provider') return `provider_${state.problem}`
  return ['refused', 'limited', 'unreachable'].includes(state.status) ? state.status : ''
}

interface KeyFormProps {
  state: State
  onSubmit(key: string): Promise<void>
  t: Translate
}

function KeyForm({ state, onSubmit, t }: KeyFormProps) {
  const problem = problemOf(state)
  const isChecking = state.status === 'checking'

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (key !== '') void onSubmit(key)
  }

  return (
    <form onSubmit={submit}>
      <label htmlFor="key">{t('apiKey')}</label>
      <div className="row">
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          aria-invalid={state.status === 'refused'}
          aria-describedby="key-help"
        />
        <button type="submit" className="primary" disabled={isChecking}>
          {t(isChecking ? 'checking' : 'signIn')}
        </button>
      </div>
      <p role="alert" className="problem">
        {problem === '' ? '' : t(problem)}
      </p>
      <p id="key-help" className="hint">
        {t('keyHint')} {t('lostKey')} <code>npm start -- --new-admin-key</code>
      </p>
    </form>
  )
}

interface AccountProps {
  principal: Principal
  onSignOut(): Promise<void>
  t: Translate
}

function Account({ principal, onSignOut, t }: AccountProps) {
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{t('user')}</dt>
          <dd>{principal.user_id}</dd>
        </div>
        <div>
          <dt>{t('role')}</dt>
          <dd>{t(principal.role)}</dd>
        </div>
        <div>
          <dt>{t('tenant')}</dt>
          <dd>{principal.tenant_id}</dd>
        </div>
      </dl>
      <button type="button" onClick={() => void onSignOut()}>
        {t('signOut')}
      </button>
    </>
  )
}
