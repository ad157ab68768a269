import { CopyButton } from '../../ui/copy-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWords } from '../../words/use-words.ts'
import { modelsWords } from './models-words.ts'

const examples = {
  DATAAGENT_MODEL: 'openai:gpt-5-mini',
  OPENAI_API_KEY: 'sk-…',
  OPENAI_BASE_URL: 'https://api.deepseek.com/v1',
  ANTHROPIC_API_KEY: 'sk-ant-…',
} as const

/** How a key is given without this page. */
export function EnvCard() {
  const words = useWords(modelsWords)
  return (
    <Panel title={words.envTitle} about={words.envAbout}>
      <ul className="flex flex-col gap-2">
        {Object.entries(examples).map(([name, example]) => (
          <li key={name} className="flex flex-wrap items-center gap-x-2">
            <code className="min-w-0 flex-1 rounded bg-raised px-2 py-1 [overflow-wrap:anywhere]">
              {name}={example}
            </code>
            <CopyButton text={`${name}=`} aria-label={words.copyEnv(name)} />
            <p className="w-full text-[13px] text-soft">
              {words.env[name as keyof typeof examples]}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
