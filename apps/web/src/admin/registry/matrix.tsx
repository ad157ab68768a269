import type { AgentInfo, ToolView } from '@dataagent/schema'
import { useDeferredValue, useState } from 'react'
import { QueryView } from '../../api/query-view.tsx'
import { useAgents, useTools } from '../../api/use-choices.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import type { RegistrySearch } from '../searches.ts'
import type { KnownTool } from './allow-list.ts'
import { MatrixTable } from './matrix-table.tsx'
import { registryWords } from './registry-words.ts'
import { useMatrix } from './use-matrix.ts'

/** Agents by tools: a tick allows, and agents without a list have every tool. */
export function Matrix() {
  const words = useWords(registryWords)
  const tools = useTools()
  const agents = useAgents()
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-sm text-soft">{words.matrixAbout}</p>
      <QueryView query={tools}>
        {(every) => (
          <QueryView query={agents}>
            {(list) =>
              every.length === 0 ? (
                <Empty title={words.noTools}>{words.noToolsAbout}</Empty>
              ) : (
                <Filled tools={every} agents={list.agents} />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </div>
  )
}

type Asked =
  | { what: 'limit'; agent: AgentInfo; without: readonly KnownTool[] }
  | { what: 'unlimit'; agent: AgentInfo }

function Filled({ tools, agents }: { tools: readonly ToolView[]; agents: readonly AgentInfo[] }) {
  const words = useWords(registryWords)
  const toProblem = useProblem()
  const [{ agent: only, q = '' }, change] = useAddress<RegistrySearch>()
  const [asked, setAsked] = useState<Asked>()
  const { tick, limit, unlimit, busy } = useMatrix(tools)
  const text = useDeferredValue(q.toLowerCase())
  const shown = tools.filter(({ sdk_name }) => sdk_name.toLowerCase().includes(text))
  const columns = agents.filter(({ assistant_id }) => (only ?? assistant_id) === assistant_id)
  const onClose = () => setAsked(undefined)
  return (
    <>
      <div className="grid max-w-2xl gap-3 sm:grid-cols-2">
        <TextField
          label={words.filter}
          type="search"
          value={q}
          onChange={(event) => change({ q: event.target.value || undefined })}
        />
        <SelectField
          label={words.onlyAgent}
          value={only ?? ''}
          onChange={(event) => change({ agent: event.target.value || undefined })}
        >
          <option value="">{words.allAgents}</option>
          {agents.map(({ assistant_id, name }) => (
            <option key={assistant_id} value={assistant_id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      {shown.length === 0 ? (
        <p className="text-sm text-soft">{words.noMatch}</p>
      ) : (
        <MatrixTable
          {...{ tools: shown, agents: columns, busy, onTick: tick }}
          onLimit={(agent, without) => setAsked({ what: 'limit', agent, without })}
          onUnlimit={(agent) => setAsked({ what: 'unlimit', agent })}
        />
      )}
      {asked?.what === 'limit' && (
        <Confirm
          {...{ onClose, toProblem }}
          title={words.limitTitle(asked.agent.name)}
          action={words.limit}
          onConfirm={() => limit(asked.agent, asked.without)}
        >
          <p>{words.limitAbout}</p>
        </Confirm>
      )}
      {asked?.what === 'unlimit' && (
        <Confirm
          {...{ onClose, toProblem }}
          title={words.unlimitTitle(asked.agent.name)}
          action={words.unlimit}
          onConfirm={() => unlimit(asked.agent)}
        >
          <p>{words.unlimitAbout}</p>
        </Confirm>
      )}
    </>
  )
}
