import type { ServerConfigInput } from '@dataagent/schema'
import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useWords } from '../words/use-words.ts'
import { AddForm } from './form/add-form.tsx'
import { formWords } from './form/form-words.ts'
import type { Template } from './form/templates.ts'
import { PastePanel } from './paste/paste-panel.tsx'

/** How a server is about to be added, and what is known of it. */
export interface Adding {
  way: 'paste' | 'form'
  text?: string
  config?: ServerConfigInput
  template?: Template
}

interface AddDialogProps {
  adding: Adding
  onClose(): void
}

export function AddDialog({ adding, onClose }: AddDialogProps) {
  const words = useWords(formWords)
  const [way, setWay] = useState<string>(adding.way)
  return (
    <Dialog title={words.addTitle} size="wide" onClose={onClose}>
      <Tabs
        label={words.ways}
        value={way}
        onChange={setWay}
        tabs={[
          {
            value: 'paste',
            label: words.paste,
            content: <PastePanel text={adding.text} onClose={onClose} />,
          },
          {
            value: 'form',
            label: words.form,
            content: (
              <AddForm config={adding.config} template={adding.template} onClose={onClose} />
            ),
          },
        ]}
      />
    </Dialog>
  )
}
