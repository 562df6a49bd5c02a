// Everything that a VM has before the project's bundle is evaluated.
import "./console.js";
import "./timers.js";
import "./events.js";
import "./encoding.js";
import "./clone.js";
import "./url.js";
import "./buffer.js";
import "./crypto.js";
import "./streams.js";
import "./blob.js";
import "./headers.js";
import "./fetch.js";
import "./intl.js";
import "./process.js";
import "./rejections.js";
import "./modules.js";
import "./call.js";
