import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { useClient } from '../../api/api-context.ts'
import { usePreferences } from '../../preferences/use-preferences.ts'
import { useWords } from '../../words/use-words.ts'
import { composerWords } from './composer-words.ts'
import type { Suggestion } from './suggestions.tsx'
import type { Token } from './token-at.ts'

const shownMax = 12
const toolsMax = 200

/** Commands by their name; files, servers and tools by theirs. */
export function useSuggestions(token: Token | undefined): readonly Suggestion[] {
  const words = useWords(composerWords)
  const mentions = useMentions(token?.kind === 'mention' ? token.text : undefined)
  return useMemo(() => {
    if (!token) return []
    const all =
      token.kind === 'command'
        ? Object.entries(words.commands).map(([id, about]) => ({ id, label: `/${id}`, about }))
        : mentions
    const text = token.text.toLowerCase()
    const fits = ({ label, about }: Suggestion) =>
      label.toLowerCase().includes(text) || about.toLowerCase().includes(text)
    const isNamed = ({ label }: Suggestion) => Number(label.toLowerCase().includes(text))
    return all
      .filter(fits)
      .toSorted((a, b) => isNamed(b) - isNamed(a))
      .slice(0, shownMax)
  }, [token, words, mentions])
}

/** What can be named in a message: files of the folder that is being written, and tools. */
function useMentions(text: string | undefined): readonly Suggestion[] {
  const words = useWords(composerWords)
  const client = useClient()
  const isWanted = text !== undefined
  const q = useDeferredValue(text?.trim().slice(0, 200) ?? '')
  const folder = text?.slice(0, Math.max(0, text.lastIndexOf('/'))) ?? ''
  const files = useQuery({
    queryKey: ['files', 'mentions', folder],
    queryFn: ({ signal }) => client.files.list(folder === '' ? {} : { path: folder }, { signal }),
    enabled: isWanted,
  })
  const tools = useQuery({
    queryKey: ['tools', 'mentions', q],
    queryFn: ({ signal }) =>
      client.tools.list({ limit: toolsMax, ...(q !== '' && { q }) }, { signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  return useMemo(
    () => [
      ...(files.data?.entries ?? [])
        .filter(({ path, kind }) => (kind === 'file' || kind === 'dir') && !path.includes('"'))
        .map(({ path, kind }) => ({
          ...{ id: `file ${path}`, label: `@${path}${kind === 'dir' ? '/' : ''}` },
          about: kind === 'dir' ? words.folder : words.file,
        })),
      ...(tools.data?.tools ?? []).map(({ sdk_name, description }) => ({
        ...{ id: `tool ${sdk_name}`, label: `@${sdk_name}`, about: description },
      })),
    ],
    [files.data, tools.data, words],
  )
}

export type CommandName = keyof (typeof composerWords)['en']['commands']

/** Carries out a command. Those of the chat itself are given. */
export function useCommands(own: Partial<Record<CommandName, () => void>>) {
  const navigate = useNavigate()
  const preferences = usePreferences()
  const go = (to: '/c' | '/tools' | '/approvals' | '/files') => () => void navigate({ to })
  const flip = (name: 'sessionList' | 'sidePanel') => () =>
    preferences.set(name, preferences.get(name) === 'open' ? 'closed' : 'open')
  const commands: Partial<Record<CommandName, () => void>> = {
    ...{ new: go('/c'), tools: go('/tools'), approvals: go('/approvals'), files: go('/files') },
    ...{ chats: flip('sessionList'), panel: flip('sidePanel') },
    lang: () => preferences.set('lang', preferences.get('lang') === 'en' ? 'zh' : 'en'),
    theme() {
      const isDark = document.documentElement.dataset.theme === 'dark'
      preferences.set('theme', isDark ? 'light' : 'dark')
    },
    ...own,
  }
  return {
    names: Object.keys(commands) as CommandName[],
    run: (name: string) => commands[name as CommandName]?.(),
  }
}
