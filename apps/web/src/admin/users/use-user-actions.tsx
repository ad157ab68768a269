import type { User } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { useAct } from '../../api/use-act.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { usersWords } from './users-words.ts'

/** What is done to a user at once; what ends something is asked for first, in `dialog`. */
export function useUserActions() {
  const words = useWords(usersWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const client = useClient()
  const { act } = useAct()
  const [asked, setAsked] = useState<{ what: 'disable' | 'signOut'; user: User }>()

  const setDisabled = ({ user_id, tenant_id }: User, disabled: boolean) =>
    client.users.update(user_id, { disabled }, { tenant_id })

  function enable(user: User): void {
    act({
      ...{ name: user.user_id, done: words.nowEnabled(user.name), reload: ['users'] },
      work: () => setDisabled(user, false),
    })
  }

  async function signOut({ user_id, tenant_id }: User): Promise<string> {
    const { signed_out } = await client.users.signOut(user_id, { tenant_id })
    return words.signedOut(formats.number(signed_out))
  }

  const onClose = () => setAsked(undefined)
  const dialog = asked && (
    <>
      {asked.what === 'disable' && (
        <ConfirmAct
          {...{ onClose, reload: [['users']] }}
          title={words.disableTitle(asked.user.name)}
          action={common.disable}
          work={() => setDisabled(asked.user, true)}
          done={words.nowDisabled(asked.user.name)}
        >
          <p>{words.disableAbout}</p>
        </ConfirmAct>
      )}
      {asked.what === 'signOut' && (
        <ConfirmAct
          onClose={onClose}
          title={words.signOutTitle(asked.user.name)}
          action={words.signOut}
          work={() => signOut(asked.user)}
        >
          <p>{words.signOutAbout}</p>
        </ConfirmAct>
      )}
    </>
  )
  return {
    ...{ enable, dialog },
    disable: (user: User) => setAsked({ what: 'disable', user }),
    signOut: (user: User) => setAsked({ what: 'signOut', user }),
  }
}
