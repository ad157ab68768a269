import { type FormEvent, useEffect, useState } from 'react'
import { type Principal, type SignIn, signIn } from './api.ts'
import { forgetKey, storedKey, storeKey, takeKeyFromAddress } from './key.ts'
import type { Translate } from './texts.ts'

type State = SignIn | { status: 'signed_out' } | { status: 'checking' }

export function SignInPanel({ t }: { t: Translate }) {
  const [state, setState] = useState<State>(checking)

  useEffect(() => {
    let asked = new AbortController()

    async function ask() {
      asked.abort()
      asked = new AbortController()
      const { signal } = asked
      setState(checking)
      const next = await check(storedKey(), signal)
      if (!signal.aborted) setState(next)
    }

    // A sign-in link that is opened where the page is shown already loads nothing.
    function onHashChange() {
      if (takeKeyFromAddress()) void ask()
    }

    void ask()
    addEventListener('hashchange', onHashChange)
    return () => {
      removeEventListener('hashchange', onHashChange)
      asked.abort()
    }
  }, [])

  async function onSubmit(key: string) {
    setState(checking)
    setState(await check(key))
  }

  function onSignOut() {
    forgetKey()
    setState(signedOut)
  }

  return (
    <section className="panel" aria-labelledby="sign-in-heading">
      <h2 id="sign-in-heading">{t(state.status === 'signed_in' ? 'signedIn' : 'signIn')}</h2>
      {state.status === 'signed_in' ? (
        <Account principal={state.principal} onSignOut={onSignOut} t={t} />
      ) : (
        <KeyForm state={state.status} onSubmit={onSubmit} t={t} />
      )}
    </section>
  )
}

const signedOut = { status: 'signed_out' } as const
const checking = { status: 'checking' } as const

/**
 * Keeps a key that the server knows, forgets one that it refuses. Without a key it asks all the
 * same: authentication may be off.
 */
async function check(key: string | null, signal?: AbortSignal): Promise<State> {
  const result = await signIn(key, signal)
  if (result.status === 'refused' && key === null) return signedOut
  if (result.status === 'signed_in' && key !== null) storeKey(key)
  if (result.status === 'refused') forgetKey()
  return result
}

interface KeyFormProps {
  state: State['status']
  onSubmit(key: string): Promise<void>
  t: Translate
}

function KeyForm({ state, onSubmit, t }: KeyFormProps) {
  const isWrong = state === 'refused' || state === 'unreachable'

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
          aria-invalid={state === 'refused'}
          aria-describedby="key-help"
        />
        <button type="submit" className="primary" disabled={state === 'checking'}>
          {t(state === 'checking' ? 'checking' : 'signIn')}
        </button>
      </div>
      <p role="alert" className="problem">
        {isWrong ? t(state) : ''}
      </p>
      <p id="key-help" className="hint">
        {t('keyHint')} {t('lostKey')} <code>npm start -- --new-admin-key</code>
      </p>
    </form>
  )
}

interface AccountProps {
  principal: Principal
  onSignOut(): void
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
      <button type="button" onClick={onSignOut}>
        {t('signOut')}
      </button>
    </>
  )
}
