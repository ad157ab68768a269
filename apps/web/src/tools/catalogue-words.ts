import { defineWords } from '../words/words.ts'

export const catalogueWords = defineWords({
  en: {
    commands: 'Approved commands',
    commandsAbout: 'Programs that users of this installation may start as servers of their own.',
    noCommands: 'No command is approved',
    noCommandsUser:
      'You can add servers by their address. Ask your administrator to approve a command if you need one.',
    noCommandsAdmin:
      'Administrators may start any command. Others start what a platform administrator approves.',
    use: 'Use',
    takeOf: (name: string) => `Use ${name}`,
    variables: 'Variables',
  },
  zh: {
    commands: '已批准的命令',
    commandsAbout: '本系统的用户可以作为自己的服务启动的程序。',
    noCommands: '没有已批准的命令',
    noCommandsUser: '你可以通过地址添加服务。如需启动命令，请联系管理员批准。',
    noCommandsAdmin: '管理员可以启动任何命令，其他用户只能启动平台管理员批准的命令。',
    use: '使用',
    takeOf: (name: string) => `使用 ${name}`,
    variables: '环境变量',
  },
})
