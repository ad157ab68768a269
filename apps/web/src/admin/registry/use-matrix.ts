import type { AgentInfo, AllowList } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { type AllowEntry, bind, type KnownTool, nameEach, unbind } from './allow-list.ts'
import { registryWords } from './registry-words.ts'
import { bindingKey, readBinding } from './use-bindings.ts'

/** Changes of the lists that agents are bound to. `every` is all the tools that are known. */
export function useMatrix(every: readonly KnownTool[]) {
  const words = useWords(registryWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const [busy, setBusy] = useState<string>()

  /** From the list as it is stored now: somebody else may have changed it meanwhile. */
  async function change(
    { assistant_id, name }: AgentInfo,
    toNext: (entries: readonly AllowEntry[]) => AllowEntry[] | null,
  ): Promise<void> {
    const subject = { kind: 'agent', subject_id: assistant_id } as const
    setBusy(assistant_id)
    try {
      const now = await readBinding(client, assistant_id)
      const next = toNext(now?.entries ?? [{ server_id: '*', tool: '*' }])
      let list: AllowList | null = null
      if (next) list = await client.policy.bind(subject, next)
      else await client.policy.unbind(subject)
      queries.setQueryData(bindingKey(assistant_id), list)
      toaster.done(words.changed(name))
    } finally {
      setBusy(undefined)
    }
  }

  function tick(agent: AgentInfo, tools: readonly KnownTool[], isOn: boolean): void {
    const toNext = (entries: readonly AllowEntry[]) =>
      isOn ? bind(entries, tools) : unbind(entries, tools, every)
    change(agent, toNext).catch((error) => toaster.failed(toProblem(error)))
  }

  return {
    ...{ busy, tick },
    /** Holds an agent to a list of what it may use now, without these tools. */
    limit: (agent: AgentInfo, without: readonly KnownTool[]) =>
      change(agent, (entries) => nameEach(entries, without, every)),
    unlimit: (agent: AgentInfo) => change(agent, () => null),
  }
}
