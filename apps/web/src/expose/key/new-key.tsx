import type { ToolGroupWithKey } from '@dataagent/schema'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { maskedKey } from '../connect/snippets.ts'
import { keyWords } from './key-words.ts'

interface NewKeyProps {
  made: ToolGroupWithKey
  /** Of a key in the place of another. */
  isRotated?: boolean
  onClose(): void
}

/** The key that was made just now, masked until somebody wants to see it. */
export function NewKey({ made: { group, key }, isRotated = false, onClose }: NewKeyProps) {
  const words = useWords(keyWords)
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Dialog
      size="small"
      title={isRotated ? words.rotated : words.newTitle(group.name)}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {isRotated ? words.done : words.go}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <p>{words.newAbout}</p>
        <div className="flex items-center gap-1 rounded-lg border border-line bg-back py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {isShown ? key : maskedKey}
          </code>
          <IconButton
            size="small"
            label={isShown ? words.hide : words.show}
            onClick={() => setShown(!isShown)}
          >
            <Icon className="size-4" />
          </IconButton>
          <CopyButton kind="plain" text={key} label={words.copy} />
        </div>
        {group.shown_once ? (
          <Notice tone="wait">{words.newOnce}</Notice>
        ) : (
          <p className="text-soft">{words.newCopyable}</p>
        )}
      </div>
    </Dialog>
  )
}
