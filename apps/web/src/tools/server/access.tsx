import type { ServerInfo } from '@dataagent/schema'
import { KeyRound } from 'lucide-react'
import { Empty } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { takesOwn, useRights } from '../use-servers.ts'
import { accessWords } from './access-words.ts'
import { OwnCredentials } from './own-credentials.tsx'
import { SignIn } from './sign-in.tsx'

/** What the caller gives a server to be let in. */
export function Access({ info }: { info: ServerInfo }) {
  const words = useWords(accessWords)
  const { mayManage } = useRights(info)
  const isOwn = takesOwn(info)
  const mayBeAsked = isForPeople(info) && (mayManage || isOwn)
  if (!isOwn && !mayBeAsked) {
    return (
      <Empty icon={<KeyRound />} title={words.none}>
        {info.user_id === null ? words.noneShared : words.noneOwn}
      </Empty>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      {isOwn && <OwnCredentials info={info} />}
      {mayBeAsked && <SignIn info={info} />}
    </div>
  )
}

/** Whether people may sign in there: over HTTP, and without a token in its settings. */
function isForPeople(info: ServerInfo): boolean {
  if (info.transport === 'stdio') return false
  return !Object.keys(info.headers).some((name) => name.toLowerCase() === 'authorization')
}
