import { refuse, vendorExtension } from "../_vendor.js";

const service = "cursor-grokbot-agents";
export const cursorGrokBotAgents = vendorExtension(service);
export default cursorGrokBotAgents;
export const askGrokBot = refuse(service, "askGrokBot");
export const checkGrokBot = refuse(service, "checkGrokBot");
export const listGrokBots = refuse(service, "listGrokBots");
