// The web's streams, as globals.
import { ByteLengthQueuingStrategy, CountQueuingStrategy } from "./streams/queue.js";
import { expose } from "./primordials.js";
import "./streams/readable.js";
import "./streams/writable.js";
import "./streams/transform.js";

expose({ ByteLengthQueuingStrategy, CountQueuingStrategy });
