// Includes nothing.
#pragma once
