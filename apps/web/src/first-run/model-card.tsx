import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, X } from 'lucide-react'
import { useClient, useIsAdmin } from '../api/api-context.ts'
import { usePreference, usePreferences } from '../preferences/use-preferences.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { useWords } from '../words/use-words.ts'
import { firstRunWords } from './first-run-words.ts'

const againMs = 3000
const keys = ['OPENAI_API_KEY=sk-…', 'ANTHROPIC_API_KEY=sk-ant-…']
const choice = 'DATAAGENT_MODEL=openai:gpt-5'

/** While the demo model answers: that it does, and how to have a real one. */
export function ModelCard() {
  const words = useWords(firstRunWords)
  const isAdmin = useIsAdmin()
  const isDemo = useIsDemo()
  const preferences = usePreferences()
  const isAway = usePreference('modelCard') === 'away'
  if (!isDemo || isAway) return null
  return (
    <section
      aria-label={words.demoTitle}
      className="relative w-full rounded-xl border border-wait/40 bg-wait-soft px-4 py-3 text-left text-sm"
    >
      <span className="absolute top-1 right-1">
        <IconButton
          label={words.dismiss}
          size="small"
          onClick={() => preferences.set('modelCard', 'away')}
        >
          <X className="size-4" />
        </IconButton>
      </span>
      <h2 className="flex items-center gap-2 pr-8 font-semibold">
        <KeyRound aria-hidden="true" className="size-4 shrink-0" /> {words.demoTitle}
      </h2>
      <p className="mt-1">{words.demoAbout}</p>
      {isAdmin ? <Ways /> : <p className="mt-1">{words.askAdmin}</p>}
    </section>
  )
}

function Ways() {
  const words = useWords(firstRunWords)
  const start = useStartCommand()
  const commands = start === undefined ? [] : keys.map((key) => `${key} ${start}`)
  return (
    <>
      <p className="mt-2">
        <Link to="/admin/models" className="font-medium text-accent underline">
          {words.addModel}
        </Link>
        {start !== undefined && words.orStart}
      </p>
      <ul className="mt-1 flex flex-col gap-1">
        {commands.map((command) => (
          <li key={command} className="flex items-center gap-2">
            <code className="min-w-0 flex-1 rounded bg-panel px-2 py-1 [overflow-wrap:anywhere]">
              {command}
            </code>
            <CopyButton text={command} aria-label={words.copyCommand(command)} />
          </li>
        ))}
      </ul>
      <p className="mt-1 text-[13px]">
        {words.otherModel} <code className="rounded bg-panel px-1">{choice}</code>
      </p>
    </>
  )
}

/** What starts this server where it is installed, once it is known. */
function useStartCommand(): string | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: ({ signal }) => client.identity.methods({ signal }),
    staleTime: Infinity,
  })
  // No flags follow here.
  return data?.commands.server.replace(/ --$/, '')
}

/** Whether a new chat would be answered by the demo model. */
function useIsDemo(): boolean {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => client.agents.list({ signal }),
    // A server that has just started may not have answered yet.
    refetchInterval: ({ state }) => state.data === undefined && againMs,
  })
  const agents = data?.agents ?? []
  const usual = agents.find(({ assistant_id }) => assistant_id === 'default') ?? agents[0]
  return usual !== undefined && /^demo(:|$)/.test(usual.model ?? '')
}
