// Lies in no room.
#pragma once
