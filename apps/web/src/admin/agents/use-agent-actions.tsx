import type { AgentInfo } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { useAct } from '../../api/use-act.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { agentsWords } from './agents-words.ts'
import { builtInId } from './use-agent-details.ts'

/** Switching an agent on and off at once; removing it after a question, in `dialog`. */
export function useAgentActions() {
  const words = useWords(agentsWords)
  const common = useWords(adminWords)
  const client = useClient()
  const { act } = useAct()
  const [asked, setAsked] = useState<AgentInfo>()

  function setEnabled({ assistant_id, name }: AgentInfo, enabled: boolean): void {
    act({
      ...{ name: assistant_id, reload: ['agents'] },
      done: enabled ? words.nowEnabled(name) : words.nowDisabled(name),
      work: () => client.agents.update(assistant_id, { enabled }),
    })
  }

  const isBuiltIn = asked?.assistant_id === builtInId
  const dialog = asked && (
    <ConfirmAct
      title={isBuiltIn ? words.resetTitle : words.removeTitle(asked.name)}
      action={isBuiltIn ? words.reset : common.remove}
      work={() => client.agents.delete(asked.assistant_id)}
      done={isBuiltIn ? words.wasReset : words.removed}
      reload={[['agents']]}
      onClose={() => setAsked(undefined)}
    >
      <p>{isBuiltIn ? words.resetAbout : words.removeAbout}</p>
    </ConfirmAct>
  )
  return { setEnabled, remove: setAsked, dialog }
}
