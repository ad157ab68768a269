import type { Client } from '@dataagent/client'
import type { SignInMethods } from '@dataagent/schema'
import { type FormEvent, useEffect, useState } from 'react'
import { useProblem } from '../api/use-problem.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { keepNextPage } from './next-page.ts'
import { signInWords } from './sign-in-words.ts'
import type { SignInState } from './use-sign-in.ts'

interface SignInPageProps {
  client: Client
  state: Exclude<SignInState, { status: 'signed_in' }>
  onEnter(apiKey: string): Promise<void>
}

export function SignInPage({ client, state, onEnter }: SignInPageProps) {
  const words = useWords(signInWords)
  const methods = useMethods(client)
  const provider = methods?.oidc?.name
  const toProblem = useProblem()

  function toText({ problem, failure }: Extract<SignInState, { status: 'signed_out' }>) {
    if (problem !== undefined) return words.problems[problem]
    return failure === undefined ? undefined : toProblem(failure)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (key !== '') void onEnter(key)
  }

  return (
    <main className="mx-auto flex min-h-[calc(100dvh-3rem)] w-full max-w-md flex-col justify-center gap-6 px-4 py-10">
      <header className="text-center">
        <img src="/favicon.svg" alt="" width="48" height="48" className="mx-auto mb-3" />
        <h1 className="text-2xl font-semibold">DataAgent</h1>
        <p className="text-soft">{words.tagline}</p>
      </header>
      <section className="flex flex-col gap-4 rounded-2xl border border-line bg-panel p-6 shadow-float">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        {state.status === 'starting' && <Notice>{words.starting}</Notice>}
        <form onSubmit={submit} className="flex flex-col gap-4">
          <TextField
            label={words.apiKey}
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            problem={state.status === 'signed_out' ? toText(state) : undefined}
            hint={
              <>
                {words.keyHint}
                {methods && (
                  <>
                    {' '}
                    {words.lostKey} <code>{methods.commands.server} --new-admin-key</code>
                  </>
                )}
              </>
            }
          />
          <Button type="submit" kind="primary" busy={state.status === 'checking'}>
            {state.status === 'checking' ? words.checking : words.signIn}
          </Button>
        </form>
        {provider && (
          <a
            href="/api/v1/sign-in/oidc"
            onClick={keepNextPage}
            className="rounded-lg border border-line px-4 py-2 text-center text-sm font-medium hover:bg-raised"
          >
            {words.with(provider)}
          </a>
        )}
      </section>
    </main>
  )
}

/** How one can sign in, once it is known. */
function useMethods(client: Client): SignInMethods | undefined {
  const [methods, setMethods] = useState<SignInMethods>()
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    client.identity.methods({ signal }).then(setMethods, () => {})
    return () => leaving.abort()
  }, [client])
  return methods
}
