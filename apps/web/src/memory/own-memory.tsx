import { useQuery } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { MemorySearch } from '../admin/searches.ts'
import { useClient } from '../api/api-context.ts'
import { ConfirmAct } from '../api/confirm-act.tsx'
import { useAct } from '../api/use-act.ts'
import { useAgentChoices } from '../api/use-choices.ts'
import { Button } from '../ui/button.tsx'
import { toDay } from '../ui/day.ts'
import { SelectField } from '../ui/field.tsx'
import { Panel } from '../ui/panel.tsx'
import { saveFile } from '../ui/save-file.ts'
import { useAddress } from '../ui/use-address.ts'
import { useWords } from '../words/use-words.ts'
import { FactsPanel } from './facts-panel.tsx'
import { memoryWords } from './memory-words.ts'

/** What agents remember of the caller, one by one; to be forgotten in part or as a whole. */
export function OwnMemory() {
  const words = useWords(memoryWords)
  const [{ agent }, change] = useAddress<MemorySearch>()
  const agents = useRemembering()
  const chosen = agents.find(({ id }) => id === agent) ?? agents[0]
  return (
    <Panel title={words.own} about={words.private} actions={<Whole />}>
      <SelectField
        label={words.agent}
        className="max-w-xs"
        value={chosen?.id ?? ''}
        onChange={(event) => change({ agent: event.target.value })}
      >
        {agents.map(({ id, name, count }) => (
          <option key={id} value={id}>
            {words.agentOf(name, count)}
          </option>
        ))}
      </SelectField>
      {chosen && <FactsPanel assistant_id={chosen.id} name={chosen.name} />}
    </Panel>
  )
}

function useMemories() {
  const client = useClient()
  return useQuery({
    queryKey: ['memory', 'all'],
    queryFn: ({ signal }) => client.memory.export({ signal }),
  })
}

/** The agents that there are, and those that are gone and have left something; fullest first. */
function useRemembering() {
  const agents = useAgentChoices().data ?? []
  const memories = useMemories().data?.memories ?? []
  const counts = new Map(memories.map(({ assistant_id, facts }) => [assistant_id, facts.length]))
  const names = new Map(agents.map(({ assistant_id, name }) => [assistant_id, name]))
  return [...new Set([...names.keys(), ...counts.keys()])]
    .map((id) => ({ id, name: names.get(id) ?? id, count: counts.get(id) ?? 0 }))
    .sort((a, b) => b.count - a.count)
}

/** Saves or forgets what all of them remember. */
function Whole() {
  const words = useWords(memoryWords)
  const client = useClient()
  const { act, busy } = useAct()
  const [isAsked, setAsked] = useState(false)
  const memories = useMemories().data?.memories ?? []
  const isEmpty = memories.every(({ facts }) => facts.length === 0)

  async function save() {
    const all = JSON.stringify(await client.memory.export(), undefined, 2)
    saveFile(`memory-${toDay(Date.now())}.json`, all, 'application/json')
  }

  return (
    <>
      <Button
        size="small"
        busy={busy === 'save'}
        icon={<Download aria-hidden="true" className="size-3.5" />}
        onClick={() => act({ name: 'save', work: save })}
      >
        {words.save}
      </Button>
      <Button
        size="small"
        disabled={isEmpty}
        icon={<Trash2 aria-hidden="true" className="size-3.5" />}
        onClick={() => setAsked(true)}
      >
        {words.clearEvery}
      </Button>
      {isAsked && (
        <ConfirmAct
          title={words.clearEveryTitle}
          action={words.clearEvery}
          work={() => client.memory.clear()}
          done={words.cleared}
          reload={[['memory']]}
          onClose={() => setAsked(false)}
        >
          <p>{words.clearAbout}</p>
        </ConfirmAct>
      )}
    </>
  )
}
