import type { ToolView } from '@dataagent/schema'
import { Play, Square } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useWords } from '../../words/use-words.ts'
import { ArgsForm } from './args-form.tsx'
import { TryApproval } from './try-approval.tsx'
import { TryOutcome } from './try-outcome.tsx'
import { tryWords } from './try-words.ts'
import { useArgs } from './use-args.ts'
import { useArgumentProblems, useTry } from './use-try.ts'

/** A form of a tool's arguments, the call, and what came of it. */
export function TryIt({ tool }: { tool: ToolView }) {
  const words = useWords(tryWords)
  const args = useArgs(tool.inputSchema)
  const calling = useTry(tool)
  const told = useArgumentProblems(calling.error)

  function run() {
    const read = args.read()
    if (read) calling.mutate(read)
  }

  return (
    <section
      aria-label={words.title(tool.name)}
      className="flex flex-col gap-3 rounded-xl border border-line bg-back p-4"
    >
      <ArgsForm args={args} about={words.about} told={told} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          kind="primary"
          busy={calling.isPending}
          icon={<Play aria-hidden="true" className="size-3.5" />}
          onClick={run}
        >
          {tool.verdict === 'ask' ? words.runAsking : words.run}
        </Button>
        {calling.isPending ? (
          <Button
            icon={<Square aria-hidden="true" className="size-3.5" />}
            onClick={() => calling.stop()}
          >
            {words.cancel}
          </Button>
        ) : (
          tool.verdict === 'ask' && <p className="text-[13px] text-soft">{words.askHint}</p>
        )}
      </div>
      {calling.isPending && tool.verdict === 'ask' && calling.tool_call_id !== undefined && (
        <TryApproval tool={tool} tool_call_id={calling.tool_call_id} />
      )}
      <TryOutcome tool={tool} calling={calling} />
    </section>
  )
}
